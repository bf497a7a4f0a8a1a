import { useLocalStorage } from '@mantine/hooks'

/** Whether lists show more rows in the same space. The browser remembers it. */
export const useCompactRows = () =>
  useLocalStorage({ key: 'tenantry.compact', defaultValue: false, getInitialValueInEffect: false })
