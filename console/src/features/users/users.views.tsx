export { CreateUserDialog } from './create-user-dialog.tsx'
export { StartingRoles } from './starting-roles.tsx'
export { UserAccess } from './user-access.tsx'
