import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { UseFormReturnType } from '@mantine/form'
import type { Flag } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { namePattern, variantValue, type TypedVariant } from './flag-values.ts'

/** The fields of a form for the variants, the default variant and the one of a disabled flag. */
export interface VariantValues {
  variants: TypedVariant[]
  off_variant: string
  default_variant: string
}

export const useVariantFaults = () => {
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

export const VariantFields = ({ form, type }: VariantFieldsProps) => {
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
