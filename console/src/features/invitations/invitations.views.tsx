export { InviteDialog } from './invite-dialog.tsx'
export { LinkToHandOn } from './link-to-hand-on.tsx'
