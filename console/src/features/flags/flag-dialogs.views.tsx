import { Button, Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { Flag } from '@tenantry/client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import {
  namePattern,
  startingVariants,
  type TypedVariant,
  typedVariants,
  types,
  variantsOf,
  variantValue,
} from './flag-values.ts'
import { useUpdateFlag } from './flags.queries.ts'
import { useRenew } from '../../components/use-renew.ts'

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
  const renew = useRenew()
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
  return { form, sending }
}

/** A new flag is enabled. Without rules, everybody gets its default variant. */
export const CreateFlagDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, sending } = useCreateForm(onClose)
  return (
    <FieldsDialog
      title={t('places.createFlag')}
      submit={t('places.createFlag')}
      isReady
      size="lg"
      {...{ form, sending, onClose }}
    >
      <Fields form={form} />
    </FieldsDialog>
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

interface EditValues extends VariantValues, Record<string, unknown> {
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
  const form = useForm<EditValues>({
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
  return { form, sending }
}

export const EditFlagDialog = (props: EditFlagProps) => {
  const { t } = useTranslation()
  const { flag, onClose } = props
  const { form, sending } = useEditForm(props)
  return (
    <FieldsDialog
      title={t('flags.editOne', { key: flag.key })}
      submit={t('common.save')}
      size="lg"
      {...{ form, sending, onClose }}
    >
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
    </FieldsDialog>
  )
}

/** The fields of a form for the variants, the default variant, and the variant of a disabled flag. */
interface VariantValues {
  variants: TypedVariant[]
  off_variant: string
  default_variant: string
}

const useVariantFaults = () => {
  const { t } = useTranslation()
  return (type: Flag['type']) => ({
    name: (name: string, { variants }: VariantValues) => {
      if (!namePattern.test(name)) return t('flags.nameFault')
      return variants.filter((one) => one.name === name).length > 1 ? t('flags.nameTaken') : null
    },
    value: (text: string) =>
      variantValue(type, text) === undefined ? t('flags.valueFault', { type: t(`flagTypes.${type}`) }) : null,
  })
}

type VariantForm = Pick<
  UseFormReturnType<VariantValues>,
  'getValues' | 'getInputProps' | 'insertListItem' | 'removeListItem'
>

interface VariantFieldsProps {
  form: VariantForm
  type: Flag['type']
}

const VariantFields = ({ form, type }: VariantFieldsProps) => {
  const { t } = useTranslation()
  const { variants } = form.getValues()
  const names = variants.map(({ name }) => name)
  return (
    <Stack gap="sm" role="group" aria-label={t('flags.variants')}>
      <Text fw={500} size="sm">
        {t('flags.variants')}
      </Text>
      {variants.map((_variant, index) => (
        <VariantLine key={index} form={form} type={type} index={index} isOnly={variants.length === 1} />
      ))}
      {variants.length < 20 && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            form.insertListItem('variants', { name: '', value: type === 'string' ? '' : 'null' })
          }
        >
          {t('flags.addVariant')}
        </Button>
      )}
      <Group grow align="flex-start">
        <NativeSelect
          label={t('flags.defaultVariant')}
          data={names}
          {...form.getInputProps('default_variant')}
        />
        <NativeSelect label={t('flags.offVariant')} data={names} {...form.getInputProps('off_variant')} />
      </Group>
    </Stack>
  )
}

interface VariantLineProps extends VariantFieldsProps {
  index: number
  isOnly: boolean
}

const VariantLine = ({ form, type, index, isOnly }: VariantLineProps) => {
  const { t } = useTranslation()
  const number = index + 1
  const value = form.getInputProps(`variants.${index}.value`)
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        flex="1 1 8rem"
        aria-label={t('flags.variantName', { number })}
        placeholder={t('fields.name')}
        spellCheck={false}
        {...form.getInputProps(`variants.${index}.name`)}
      />
      {type === 'boolean' ? (
        <NativeSelect
          flex="1 1 8rem"
          aria-label={t('flags.variantValue', { number })}
          data={['true', 'false', ...(['true', 'false'].includes(String(value.value)) ? [] : [''])]}
          {...value}
        />
      ) : (
        <Textarea
          flex="2 1 10rem"
          aria-label={t('flags.variantValue', { number })}
          placeholder={t('flags.value')}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          classNames={type === 'object' ? { input: 'json' } : {}}
          {...value}
        />
      )}
      <Button
        variant="subtle"
        px="xs"
        disabled={isOnly}
        aria-label={t('flags.removeVariant', { number })}
        onClick={() => form.removeListItem('variants', index)}
      >
        <IconTrash size={16} />
      </Button>
    </Group>
  )
}
