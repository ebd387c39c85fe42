import { it } from 'node:test'
import { passRecipe } from '../processes/recipes.ts'

// The other languages, and what happens to a store when its test run is killed: npm run test:recipes.

for (const name of ['js', 'bash']) {
  it(`the recipe in ${name} passes, and leaves no store`, async () => {
    await passRecipe(name)
  })
}
