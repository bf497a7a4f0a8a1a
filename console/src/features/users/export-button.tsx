import { IconDownload } from '@tabler/icons-react'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useTranslation } from '../../translation.ts'
import type { ExportProps } from './export-users.views.tsx'

const ExportDialog = lazyPart(async () => (await import('./export-users.views.tsx')).ExportDialog)

export const ExportUsers = (props: ExportProps) => {
  const { t } = useTranslation()
  return (
    <DialogButton
      variant="default"
      leftSection={<IconDownload size={16} />}
      disabled={(props.counted?.total ?? 0) === 0}
      label={t('users.export')}
    >
      {(onClose) => <ExportDialog {...props} onClose={onClose} />}
    </DialogButton>
  )
}
