export { InviteDialog } from './invite-dialog.tsx'
export { InvitationLink } from './invitation-links.tsx'
