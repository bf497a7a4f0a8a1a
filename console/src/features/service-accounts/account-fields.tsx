import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'

interface AccountFieldsProps {
  name: GetInputPropsReturnType
  description: GetInputPropsReturnType
}

export const AccountFields = ({ name, description }: AccountFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('fields.name')}
        description={t('serviceAccounts.nameHint')}
        required
        data-autofocus
        autoComplete="off"
        {...name}
      />
      <Textarea label={t('serviceAccounts.description')} autosize minRows={2} {...description} />
    </>
  )
}
