import { SegmentedControl } from '@mantine/core'
import { useTranslation } from '../translation.ts'

interface StatusFilterProps {
  value: 0 | 1 | undefined
  onChange: (status: 0 | 1 | undefined) => void
}

export const StatusFilter = ({ value, onChange }: StatusFilterProps) => {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      aria-label={t('fields.status')}
      value={value === undefined ? 'all' : String(value)}
      data={[
        { value: 'all', label: t('common.all') },
        { value: '1', label: t('common.enabled') },
        { value: '0', label: t('common.disabled') },
      ]}
      onChange={(chosen) => onChange(chosen === 'all' ? undefined : chosen === '1' ? 1 : 0)}
    />
  )
}
