import { Button, FileButton, Group, Input, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'

/** docs/contract.md, "Sign in with Tenantry": the largest logo of a tenant in bytes, and its longer side in pixels. */
const bytesMax = 32_768
const sideMax = 512

const toUrl = (picture: ImageBitmap, scale: number): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}

/** The size of the picture in a data URL (base64). */
const bytesOf = (url: string): number => Math.ceil(((url.length - url.indexOf(',') - 1) * 3) / 4)

/** A picture as a PNG within the limits, without the metadata of a camera. Undefined for an unreadable file. */
const readLogo = async (file: File): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  const whole = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const drawn = [1, 0.75, 0.5, 0.35, 0.25, 0.15].map((part) => toUrl(picture, whole * part))
  picture.close()
  return drawn.find((url) => url !== '' && bytesOf(url) <= bytesMax)
}

const someColor = '#3366ff'
const colorPattern = /^#[0-9a-f]{6}$/i

export const isColor = (text: string): boolean => text === '' || colorPattern.test(text)

interface LogoInputProps {
  /** A data URL, "" for none. */
  value: string
  isReadOnly: boolean
  onChange: (logo: string) => void
}

/** Lets the user choose a picture, and reduces it to the allowed size. */
const LogoInput = ({ value, isReadOnly, onChange }: LogoInputProps) => {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return
    const logo = await readLogo(file)
    setRefused(logo === undefined)
    if (logo !== undefined) onChange(logo)
  }
  return (
    <Input.Wrapper
      component="div"
      label={t('settings.brandingLogo')}
      description={t('settings.brandingLogoHint')}
      error={isRefused && t('settings.brandingLogoWrong')}
      errorProps={{ role: 'alert' }}
    >
      {!isReadOnly && (
        <Group gap="xs" mt={4}>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} size="xs" variant="default">
                {t('settings.brandingLogoChoose')}
              </Button>
            )}
          </FileButton>
          {value !== '' && (
            <Button size="xs" variant="default" onClick={() => onChange('')}>
              {t('settings.brandingLogoRemove')}
            </Button>
          )}
        </Group>
      )}
    </Input.Wrapper>
  )
}

interface LookInputsProps {
  form: {
    values: { logo: string; color: string }
    getInputProps: (field: 'color') => GetInputPropsReturnType
    setFieldValue: (field: 'logo' | 'color', value: string) => void
  }
  colorLabel: string
  isReadOnly: boolean
}

/** The inputs of logo and colour. */
export const LookInputs = ({ form, colorLabel, isReadOnly }: LookInputsProps) => {
  const { t } = useTranslation()
  const { logo, color } = form.values
  return (
    <>
      <LogoInput value={logo} isReadOnly={isReadOnly} onChange={(next) => form.setFieldValue('logo', next)} />
      <TextInput
        label={colorLabel}
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
    </>
  )
}
