import { Code } from '@mantine/core'
import { useTranslation } from '../../translation.ts'

/** Shows the key of a setting that the service reads, because programs need it. */
export const ReadByService = ({ name }: { name: string }) => {
  const { t } = useTranslation()
  return (
    <>
      {t('settingTexts.readByService')} <Code>{name}</Code>
    </>
  )
}
