import { NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { Flag } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { FormButtons } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { namePattern, startingVariants, types, variantsOf } from './flag-values.ts'
import { useRenewFlags } from './flags.queries.ts'
import { useVariantFaults, VariantFields, type VariantValues } from './variant-fields.tsx'

interface Values extends VariantValues, Record<string, unknown> {
  key: string
  description: string
  type: Flag['type']
  client_side: boolean
}

const startOf = (type: Flag['type']): VariantValues => {
  const variants = startingVariants(type)
  const off = variants[1]?.name ?? ''
  return { variants, off_variant: off, default_variant: off }
}

const useCreateForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewFlags()
  const navigate = useNavigate()
  const faults = useVariantFaults()
  const form = useForm<Values>({
    initialValues: { key: '', description: '', type: 'boolean', client_side: false, ...startOf('boolean') },
    validate: {
      key: (key) => (namePattern.test(key) ? null : t('flags.keyFault')),
      variants: {
        name: (name, values) => faults(values.type).name(name, values),
        value: (text, { type }) => faults(type).value(text),
      },
    },
  })
  const sending = useSubmit(form, async ({ type, variants, ...values }) => {
    const { key } = await client.flags.create({
      ...values,
      type,
      variants: variantsOf(type, variants),
      enabled: true,
    })
    onClose()
    notify(t('flags.created', { key }))
    // The form is still dirty until the window is unmounted.
    const flagPage = { to: '/flags/$flagKey', params: { flagKey: key }, ignoreBlocker: true } as const
    await Promise.all([navigate(flagPage), renew()])
  })
  return { form, ...sending }
}

/** A new flag is enabled. Without rules, everybody gets its default variant. */
export const CreateFlagDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useCreateForm(onClose)
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('flags.create')}
      isPending={isSending}
      size="lg"
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <Fields form={form} />
          <FormButtons
            submit={t('flags.create')}
            isSending={isSending}
            isDirty={form.isDirty()}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </FormDialog>
  )
}

const Fields = ({ form }: Pick<ReturnType<typeof useCreateForm>, 'form'>) => {
  const { t } = useTranslation()
  const changeType = (type: Flag['type']): void => form.setValues({ type, ...startOf(type) })
  return (
    <>
      <TextInput
        label={t('flags.key')}
        description={t('flags.keyHint')}
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('key')}
      />
      <Textarea label={t('fields.description')} autosize minRows={1} {...form.getInputProps('description')} />
      <NativeSelect
        label={t('flags.type')}
        description={t('flags.typeHint')}
        data={types.map((value) => ({ value, label: t(`flagTypes.${value}`) }))}
        value={form.values.type}
        onChange={({ currentTarget: { value } }) =>
          changeType(types.find((one) => one === value) ?? 'boolean')
        }
      />
      <VariantFields form={form} type={form.values.type} />
      <Switch
        label={t('flags.clientSide')}
        description={t('flags.clientSideHint')}
        {...form.getInputProps('client_side', { type: 'checkbox' })}
      />
    </>
  )
}
