export { StartingRoles } from './starting-roles.tsx'
export { UserAccess } from './user-access.tsx'
