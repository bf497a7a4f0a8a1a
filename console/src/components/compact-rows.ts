import { useLocalStorage } from '@mantine/hooks'

/** Whether lists show more rows, closer together; the browser remembers it. */
export const useCompactRows = () =>
  useLocalStorage({ key: 'tenantry.compact', defaultValue: false, getInitialValueInEffect: false })
