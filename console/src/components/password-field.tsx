import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from '../translation.ts'

export const PasswordField = (props: PasswordInputProps) => {
  const { t } = useTranslation()
  const toggle = { 'aria-label': t('common.showPassword') }
  // Mantine marks a fault only visually.
  const invalid = props.error ? { 'aria-invalid': true } : {}
  return <PasswordInput visibilityToggleButtonProps={toggle} {...invalid} {...props} />
}
