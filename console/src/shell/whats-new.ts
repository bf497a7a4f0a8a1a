import { useLocalStorage } from '@mantine/hooks'
import { version } from '../../package.json'

/** The version whose news the user has seen. The first visit has nothing to catch up on. */
export const useWhatsNew = () => {
  const [seen, setSeen] = useLocalStorage({
    key: 'tenantry.seen',
    defaultValue: version,
    getInitialValueInEffect: false,
  })
  return { isUnseen: seen !== version, see: () => setSeen(version) }
}
