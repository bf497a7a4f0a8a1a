import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { LogoInput } from '../../components/logo-input.tsx'
import { useTranslation } from '../../translation.ts'

const someColor = '#3366ff'
const colorPattern = /^#[0-9a-f]{6}$/i

export const isColor = (text: string): boolean => text === '' || colorPattern.test(text)

interface ColorInputProps {
  form: {
    values: { color: string }
    getInputProps: (field: 'color') => GetInputPropsReturnType
    setFieldValue: (field: 'color', value: string) => void
  }
  label: string
  isReadOnly: boolean
}

export const ColorInput = ({ form, label, isReadOnly }: ColorInputProps) => {
  const { t } = useTranslation()
  const { color } = form.values
  return (
    <TextInput
      label={label}
      placeholder={someColor}
      disabled={isReadOnly}
      rightSection={
        <input
          type="color"
          aria-label={t('settings.brandingColorPick')}
          className="color-well"
          disabled={isReadOnly}
          value={colorPattern.test(color) ? color : someColor}
          onChange={({ currentTarget }) => form.setFieldValue('color', currentTarget.value)}
        />
      }
      {...form.getInputProps('color')}
    />
  )
}

interface LookInputsProps {
  form: ColorInputProps['form'] & {
    values: { logo: string }
    setFieldValue: (field: 'logo', value: string) => void
  }
  colorLabel: string
  isReadOnly: boolean
}

/** The inputs of logo and colour. */
export const LookInputs = ({ form, colorLabel, isReadOnly }: LookInputsProps) => (
  <>
    <LogoInput
      value={form.values.logo}
      isReadOnly={isReadOnly}
      onChange={(next) => form.setFieldValue('logo', next)}
    />
    <ColorInput form={form} label={colorLabel} isReadOnly={isReadOnly} />
  </>
)
