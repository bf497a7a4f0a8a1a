export { CreateUserDialog, StartingRoles } from './create-user-dialog.tsx'
export { UserAccess } from './user-access.tsx'
