import { Button, FileButton, Group, Input } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useOffer } from '../../components/use-offer.ts'
import { useMe } from '../../session/me.ts'
import { useSavePicture } from './profile.queries.ts'
import { shrinkPicture } from './shrink-picture.ts'

/** Saves a picture at once, and offers to restore the previous one. */
const usePictures = () => {
  const { t } = useTranslation()
  const { avatar: before } = useMe().user
  const { offer, withdraw } = useOffer()
  const undoing = useSavePicture(() => undefined)
  const saving = useSavePicture((avatar) =>
    offer(t(avatar === '' ? 'ownProfile.pictureRemoved' : 'ownProfile.pictureSaved'), t('common.undo'), () =>
      undoing.mutate(before),
    ),
  )
  return {
    save: (avatar: string): void => {
      withdraw()
      saving.mutate(avatar)
    },
    isPending: saving.isPending || undoing.isPending,
    error: saving.error ?? undoing.error,
    hasPicture: before !== '',
  }
}

export const OwnPicture = () => {
  const { t } = useTranslation()
  const { save, isPending, error, hasPicture } = usePictures()
  const [isUnreadable, setUnreadable] = useState(false)
  const forget = useRef<() => void>(null)
  const choose = async (file: File | null): Promise<void> => {
    // Otherwise choosing the same file again would raise no event.
    forget.current?.()
    if (!file) return
    const avatar = await shrinkPicture(file)
    setUnreadable(avatar === undefined)
    if (avatar !== undefined) save(avatar)
  }
  return (
    <Input.Wrapper
      component="div"
      error={isUnreadable && t('ownProfile.notPicture')}
      errorProps={{ role: 'alert' }}
    >
      <Group gap="xs" my={4}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          resetRef={forget}
          onChange={(file) => void choose(file)}
        >
          {(props) => (
            <Button {...props} size="compact-sm" variant="default" loading={isPending}>
              {t('ownProfile.choosePicture')}
            </Button>
          )}
        </FileButton>
        {hasPicture && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            c="var(--text-bad)"
            disabled={isPending}
            onClick={() => save('')}
          >
            {t('ownProfile.removePicture')}
          </Button>
        )}
      </Group>
      {error && <ErrorPanel error={error} />}
    </Input.Wrapper>
  )
}
