import { Link } from '@tanstack/react-router'
import { useMe } from '../../session/me.ts'

/** For `renderRoot` of a link that puts a tenant in scope. The address omits the caller's own tenant. */
export const useEnter = () => {
  const { tenant: own } = useMe()
  return (id: string) => (props: object) => (
    <Link {...props} to="/" search={{ tenant: id === own.id ? undefined : id }} />
  )
}
