import { Button, Group, Stack, type PasswordInputProps } from '@mantine/core'
import { IconCheck, IconCopy, IconSparkles } from '@tabler/icons-react'
import type { PasswordRules } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { Copying } from './copy-text.tsx'
import { usePasswordHint } from './password-hint.ts'
import { PasswordField } from './password-field.tsx'

/** Omits characters that sound or look alike. 20 of these 57 characters have 117 bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const lengthMin = 20

/** Omits bytes beyond the last whole multiple of the alphabet's length: they would favour its first letters. */
export const generatePassword = (rules: PasswordRules | undefined): string => {
  const length = Math.max(lengthMin, rules?.min_length ?? 0)
  const bytes = crypto.getRandomValues(new Uint8Array(length * 4))
  const fair = [...bytes].filter((byte) => byte < alphabet.length * Math.floor(256 / alphabet.length))
  return fair
    .slice(0, length)
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')
}

interface NewPasswordFieldProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string
  onChange: (password: string) => void
  rules: PasswordRules | undefined
}

export const NewPasswordField = ({
  value,
  onChange,
  rules,
  disabled = false,
  ...props
}: NewPasswordFieldProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <PasswordField
        {...props}
        show={t('common.showPassword')}
        value={value}
        disabled={disabled}
        autoComplete="new-password"
        description={usePasswordHint()(rules)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={disabled}
          leftSection={<IconSparkles size={14} />}
          onClick={() => onChange(generatePassword(rules))}
        >
          {t('fields.generate')}
        </Button>
        <Copying text={value}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              disabled={value === ''}
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? t('common.copied') : t('fields.copyPassword')}
            </Button>
          )}
        </Copying>
      </Group>
    </Stack>
  )
}
