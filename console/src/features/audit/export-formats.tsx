import { Menu, Text } from '@mantine/core'
import type { PopupButton } from '../../components/lazy-popup.tsx'
import { PopupMenu } from '../../components/popup-menu.tsx'
import { useTranslation } from '../../translation.ts'
import type { ExportFormat } from './use-export.ts'

const useFormats = () => {
  const { t } = useTranslation()
  return [
    { format: 'csv', label: t('auditLog.exportCsv'), hint: t('auditLog.exportCsvHint') },
    { format: 'ndjson', label: t('auditLog.exportJson'), hint: t('auditLog.exportJsonHint') },
    { format: 'sealed', label: t('auditLog.exportSealed'), hint: t('auditLog.exportSealedHint') },
  ] as const
}

interface ExportFormatsProps {
  onChoose: (format: ExportFormat) => void
  children: PopupButton
}

export const ExportFormats = ({ onChoose, children }: ExportFormatsProps) => {
  const formats = useFormats()
  return (
    <PopupMenu target={children} width={280}>
      {formats.map(({ format, label, hint }) => (
        <Menu.Item key={format} onClick={() => onChoose(format)}>
          <Text size="sm">{label}</Text>
          <Text size="xs">{hint}</Text>
        </Menu.Item>
      ))}
    </PopupMenu>
  )
}
