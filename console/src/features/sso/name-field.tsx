import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'

/** The name of a connection. The sign-in page shows it. */
export const NameField = ({ input }: { input: GetInputPropsReturnType }) => {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.name')}
      description={t('connections.nameHint')}
      required
      maw={420}
      autoComplete="off"
      {...input}
    />
  )
}
