import { Button } from '@mantine/core'
import { useTranslation } from '../translation.ts'

/** The way on from an empty list that is filtered. */
export const ClearFilters = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation()
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('table.clearFilters')}
    </Button>
  )
}
