import { useScopeTenant } from './tenants.ts'

/** Names a file after its contents, the tenant in scope and the day, so that files of several tenants stay apart. */
export const useFileName = () => {
  const { tenant } = useScopeTenant()
  return (contents: string): string =>
    [contents, tenant?.slug, new Date().toISOString().slice(0, 10)].filter(Boolean).join('-')
}
