export { EmailActions } from './email-card.tsx'
