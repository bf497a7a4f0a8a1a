export { CreateWebhookDialog } from './create-webhook-dialog.tsx'
export { ReplayDialog } from './replay-dialog.tsx'
