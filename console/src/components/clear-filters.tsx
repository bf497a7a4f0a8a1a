import { Button } from '@mantine/core'
import { useTranslation } from '../translation.ts'

/** The button that clears the filters of an empty list. */
export const ClearFilters = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation()
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('table.clearFilters')}
    </Button>
  )
}
