import { Link } from '@tanstack/react-router'
import { useMe } from '../../session/me.ts'

/** For `renderRoot` of what puts a tenant in scope. The own one is the one that the address leaves out. */
export const useEnter = () => {
  const { tenant: own } = useMe()
  return (id: string) => (props: object) => (
    <Link {...props} to="/" search={{ tenant: id === own.id ? undefined : id }} />
  )
}
