// ä😀
int äö = 1; int z = äö + undefined;
/* 😀😀 */ int after = nothing;
