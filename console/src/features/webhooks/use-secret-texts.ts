import { useTranslation } from '../../translation.ts'
import type { SecretTexts } from '../../components/secret-dialog.tsx'

export const useSecretTexts = (created: string): SecretTexts => {
  const { t } = useTranslation()
  return {
    created,
    secret: t('webhooks.secret'),
    once: t('webhooks.secretOnce'),
    onceText: t('webhooks.secretOnceText'),
    use: t('webhooks.secretUse'),
    copy: t('webhooks.copySecret'),
    copyFailed: t('webhooks.copyFailed'),
    uncopiedTitle: t('webhooks.uncopiedTitle'),
    uncopiedText: t('webhooks.uncopiedText'),
    closeUncopied: t('webhooks.closeUncopied'),
  }
}
