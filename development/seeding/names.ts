/** Names of seeded people, as SQL arrays. */

export const FIRST_NAMES = `ARRAY['Amara','Ben','Carmen','Dev','Elena','Felix','Grace','Hugo','Iris','Jamal','Kira','Liam',
  'Maya','Noah','Olive','Priya','Quinn','Rosa','Sam','Tessa','Uma','Victor','Wren','Ximena','Yusuf','Zoe','Aiden']`;
export const LAST_NAMES = `ARRAY['Abbott','Baker','Castillo','Dawson','Ellis','Flores','Garcia','Hughes','Ito','Jensen','Khan',
  'Lopez','Moreau','Nguyen','Okafor','Patel','Quill','Reyes','Silva','Tanaka','Underwood','Vargas','Walsh','Yoder','Zhang']`;
