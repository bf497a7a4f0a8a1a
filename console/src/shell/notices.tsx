import { Notifications } from '@mantine/notifications'

/** More would cover the page of a phone. */
const noticesMax = 2

/** On a phone, they are below the header (app.css). */
export const Notices = () => <Notifications limit={noticesMax} position="bottom-right" />
