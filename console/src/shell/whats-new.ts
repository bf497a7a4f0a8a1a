import { useLocalStorage } from '@mantine/hooks'
import { version } from '../../package.json'

/** The version whose news the user has seen. The first visit counts as having seen them. */
export const useWhatsNew = () => {
  const [seen, setSeen] = useLocalStorage({
    key: 'tenantry.seen',
    defaultValue: version,
    getInitialValueInEffect: false,
  })
  return { isUnseen: seen !== version, see: () => setSeen(version) }
}
