import { Stack, Switch, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Flag } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { FormButtons } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import { typedVariants, variantsOf } from './flag-values.ts'
import { useUpdateFlag } from './flags.queries.ts'
import { useVariantFaults, VariantFields, type VariantValues } from './variant-fields.tsx'

interface Values extends VariantValues, Record<string, unknown> {
  description: string
  client_side: boolean
}

interface EditFlagProps {
  flag: Flag
  onClose: () => void
}

const useEditForm = ({ flag, onClose }: EditFlagProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const faults = useVariantFaults()(flag.type)
  const { description, client_side, off_variant, default_variant } = flag
  const form = useForm<Values>({
    initialValues: {
      description,
      client_side,
      off_variant,
      default_variant,
      variants: typedVariants(flag),
    },
    validate: { variants: faults },
  })
  const saving = useUpdateFlag(flag, () => {
    onClose()
    notify(t('flags.saved'))
  })
  const sending = useSubmit(form, async ({ variants, ...values }) => {
    await saving.mutateAsync({ ...values, variants: variantsOf(flag.type, variants) })
  })
  return { form, ...sending }
}

export const EditFlagDialog = (props: EditFlagProps) => {
  const { t } = useTranslation()
  const { flag, onClose } = props
  const { form, onSubmit, isSending, error } = useEditForm(props)
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('flags.editOne', { key: flag.key })}
      isPending={isSending}
      size="lg"
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <Textarea
            label={t('fields.description')}
            autosize
            minRows={1}
            data-autofocus
            {...form.getInputProps('description')}
          />
          <VariantFields form={form} type={flag.type} />
          <Switch
            label={t('flags.clientSide')}
            description={t('flags.clientSideHint')}
            {...form.getInputProps('client_side', { type: 'checkbox' })}
          />
          <FormButtons
            submit={t('common.save')}
            isSending={isSending}
            isDirty={form.isDirty()}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </FormDialog>
  )
}
