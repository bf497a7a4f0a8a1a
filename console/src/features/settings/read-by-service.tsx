import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Names the key of a setting that the service reads itself, so that programs find it as well. */
export const ReadByService = ({ name }: { name: string }) => {
  const { t } = useTranslation()
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('settingTexts.readByService')} <Code>{name}</Code>
    </Text>
  )
}
