export { Recipients, type Recipient } from './recipients.tsx'
