export { UserAccess } from './user-access.tsx'
