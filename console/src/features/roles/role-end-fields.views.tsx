import type { UseFormReturnType } from '@mantine/form'
import { EndFields, type EndValues } from '../../components/end-fields.tsx'
import { useTranslation } from '../../translation.ts'

const lifetimes = ['never', '1', '7', '30', '90', 'date'] as const

/** The fields of the end of a role, or of an eligibility. */
export const RoleEndFields = <Values extends EndValues>({ form }: { form: UseFormReturnType<Values> }) => {
  const { t } = useTranslation()
  return (
    <EndFields
      form={form}
      label={t('roleEndForms.ends')}
      lifetimes={lifetimes}
      never={t('roleEndForms.never')}
    />
  )
}
