import { Pill } from '@mantine/core'
import { useTranslation } from '../translation.ts'

interface FilterPillProps {
  text: string
  onRemove: () => void
}

/** Shows a filter that only a link can set, with a button that removes it. */
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
