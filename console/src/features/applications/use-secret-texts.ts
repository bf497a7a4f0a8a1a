import type { SecretTexts } from '../../components/secret-dialog.tsx'
import { useTranslation } from '../../translation.ts'

export const useSecretTexts = (created: string): SecretTexts => {
  const { t } = useTranslation()
  return {
    created,
    secret: t('applications.secret'),
    once: t('applications.secretOnce'),
    onceText: t('applications.secretOnceText'),
    use: t('applications.secretUse'),
    copy: t('applications.copySecret'),
    copyFailed: t('applications.copyFailed'),
    uncopiedTitle: t('applications.uncopiedTitle'),
    uncopiedText: t('applications.uncopiedText'),
    closeUncopied: t('applications.closeUncopied'),
  }
}
