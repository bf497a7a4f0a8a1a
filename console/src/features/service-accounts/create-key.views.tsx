export { CreateKeyDialog } from './create-key-dialog.tsx'
