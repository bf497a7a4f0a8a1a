export { InviteDialog } from './invite-dialog.tsx'
