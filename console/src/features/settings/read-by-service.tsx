import { Code } from '@mantine/core'
import { useTranslation } from '../../translation.ts'

/** Names the key of a setting that the service reads itself, so that programs find it as well. */
export const ReadByService = ({ name }: { name: string }) => {
  const { t } = useTranslation()
  return (
    <>
      {t('settingTexts.readByService')} <Code>{name}</Code>
    </>
  )
}
