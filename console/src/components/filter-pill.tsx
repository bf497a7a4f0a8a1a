import { Pill } from '@mantine/core'
import { useTranslation } from '../translation.ts'

interface FilterPillProps {
  text: string
  onRemove: () => void
}

/** A filter that a link has set, and that the page offers no other way to set. */
export const FilterPill = ({ text, onRemove }: FilterPillProps) => {
  const { t } = useTranslation()
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('common.clear'), 'aria-hidden': false, tabIndex: 0 }}
    >
      {text}
    </Pill>
  )
}
