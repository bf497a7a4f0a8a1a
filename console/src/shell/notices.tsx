import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'

/** More would cover the page of a phone. */
const noticesMax = 2

export const Notices = () => {
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  return <Notifications limit={noticesMax} position={isPhone ? 'top-center' : 'bottom-right'} />
}
