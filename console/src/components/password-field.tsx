import { PasswordInput, type PasswordInputProps } from '@mantine/core'

interface PasswordFieldProps extends PasswordInputProps {
  /** The name of the button that shows the text, which `aria-pressed` completes. */
  show: string
}

export const PasswordField = ({ show, ...props }: PasswordFieldProps) => {
  const toggle = { 'aria-label': show }
  // Mantine marks a fault only visually.
  const invalid = props.error ? { 'aria-invalid': true } : {}
  return (
    <PasswordInput visibilityToggleFocusable visibilityToggleButtonProps={toggle} {...invalid} {...props} />
  )
}
