import { Box, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { News } from '../session/live.ts'

/** Says how much has changed since the list was loaded, and loads it anew. The list itself stays as it is until then. */
export const NewsButton = ({ news: { count, show } }: { news: News }) => {
  const { t } = useTranslation()
  return (
    <Box role="status">
      {count > 0 && (
        <Button
          size="sm"
          variant="light"
          leftSection={<IconRefresh size={16} />}
          title={t('table.newsTitle')}
          onClick={show}
        >
          {t('table.news', { count })}
        </Button>
      )}
    </Box>
  )
}
