import { expect, test } from 'vitest'
import { accentOf, luminanceOf } from '../src/hosted/accent.ts'

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const hex = (number: number): string => `#${number.toString(16).padStart(6, '0')}`

test('links and buttons are legible in every colour of a brand', () => {
  const colors = Array.from({ length: 4096 }, (_, at) =>
    hex(((at >> 8) & 15) * 0x110000 + ((at >> 4) & 15) * 0x1100 + (at & 15) * 0x11),
  )
  const illegible = colors.filter((color) => {
    const { '--on-accent': letters = '', '--link': link = '' } = accentOf(color)
    const [, light = '', dark = ''] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(link) ?? []
    const pairs = [
      [`${letters}${letters.slice(1)}`, color],
      [light, '#ffffff'],
      [light, '#f4f5f7'],
      [dark, '#242424'],
      [dark, '#1a1b1e'],
    ] as const
    return pairs.some(([one, other]) => contrast(one, other) < 4.5)
  })
  expect(illegible).toEqual([])
})
