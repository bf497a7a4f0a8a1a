/** Where the console goes on after a sign-in at a provider, which leaves this page. */
const key = 'tenantry.provider-return'

export const keepReturn = (next: string): void => sessionStorage.setItem(key, next)

export const takeReturn = (): string => {
  const next = sessionStorage.getItem(key) ?? '/'
  sessionStorage.removeItem(key)
  return next
}
