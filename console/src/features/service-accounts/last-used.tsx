import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../components/ago.tsx'

/** The time of the last request, exact to 5 minutes. */
export const LastUsed = ({ at }: { at: string }) => {
  const { t } = useTranslation()
  if (at !== '') return <Ago at={at} />
  return (
    <Text size="sm" c="dimmed">
      {t('common.never')}
    </Text>
  )
}
