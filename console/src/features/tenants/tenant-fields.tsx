import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'

interface TenantFieldsProps {
  inputOf: (field: 'name' | 'slug') => GetInputPropsReturnType
  isSlugFixed?: boolean
}

export const TenantFields = ({ inputOf, isSlugFixed = false }: TenantFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('fields.name')} required data-autofocus autoComplete="off" {...inputOf('name')} />
      <TextInput
        label={t('tenants.slug')}
        description={t(isSlugFixed ? 'tenants.slugFixed' : 'tenants.slugHint')}
        required
        autoComplete="off"
        disabled={isSlugFixed}
        {...inputOf('slug')}
      />
    </>
  )
}
