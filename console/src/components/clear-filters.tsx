import { Button } from '@mantine/core'
import { useTranslation } from '../translation.ts'

/** The button of a list that is empty because of its filters. */
export const ClearFilters = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation()
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('table.clearFilters')}
    </Button>
  )
}
